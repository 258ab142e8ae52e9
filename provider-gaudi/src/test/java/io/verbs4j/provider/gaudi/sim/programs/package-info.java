/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs that {@code GaudiIT} runs on simulated cards, and what they share. */
package io.verbs4j.provider.gaudi.sim.programs;
