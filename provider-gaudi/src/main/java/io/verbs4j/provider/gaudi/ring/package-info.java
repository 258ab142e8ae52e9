/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Gaudi2's rings in host memory, written and read in Java: send descriptors, doorbells, completions and device
 * addresses.
 */
package io.verbs4j.provider.gaudi.ring;
