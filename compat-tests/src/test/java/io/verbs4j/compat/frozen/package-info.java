/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The frozen levels: the jars of finished levels, kept as they were. */
package io.verbs4j.compat.frozen;
