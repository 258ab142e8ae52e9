/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of EFA on simulated devices with the real libefa, and the programs that they run. */
package io.verbs4j.provider.efa.sim;
