/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The rig of programs for simulated devices, which {@code device-sim/run} starts. The providers' tests use it as well. */
package io.verbs4j.rdmacore.sim;
