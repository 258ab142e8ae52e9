/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A device in memory that keeps every rule of the kit; a {@link io.verbs4j.compat.kit.model.Fault} makes it break one.
 */
package io.verbs4j.compat.kit.model;
