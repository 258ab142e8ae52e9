/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs for simulated devices, started by the tests of {@code io.verbs4j.compat.sim}. */
package io.verbs4j.compat.sim.programs;
