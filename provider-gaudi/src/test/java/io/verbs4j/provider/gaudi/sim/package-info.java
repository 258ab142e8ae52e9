/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Tests of Gaudi on simulated devices through the library that stands in for libhbl, and the programs that they run.
 */
package io.verbs4j.provider.gaudi.sim;
