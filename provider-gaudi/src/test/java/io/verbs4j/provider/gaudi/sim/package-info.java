/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Gaudi on simulated devices, by the library that stands in for libhbl: tests, and the programs that they run. */
package io.verbs4j.provider.gaudi.sim;
