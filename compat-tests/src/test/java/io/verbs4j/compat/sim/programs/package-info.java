/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs for simulated devices that the tests of {@code io.verbs4j.compat.sim} run. */
package io.verbs4j.compat.sim.programs;
