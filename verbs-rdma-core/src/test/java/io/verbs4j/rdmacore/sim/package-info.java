/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The rig for programs with simulated devices, which {@code device-sim/run} starts. The providers' tests use it too.
 */
package io.verbs4j.rdmacore.sim;
