/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs that {@code TrafficIT} runs on simulated devices, and their rig. */
package io.verbs4j.provider.gaudi.traffic.programs;
