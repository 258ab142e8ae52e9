/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** EFA on simulated devices, under the real libefa: tests, and the programs that they run. */
package io.verbs4j.provider.efa.sim;
