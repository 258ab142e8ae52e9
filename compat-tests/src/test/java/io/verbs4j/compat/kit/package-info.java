/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The kit on the embedded device, on a correct model of a device, and on that model's deliberately wrong mutants. */
package io.verbs4j.compat.kit;
