/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs the kit on the embedded device, on a correct model of a device, and on deliberately wrong mutants of that model.
 */
package io.verbs4j.compat.kit;
