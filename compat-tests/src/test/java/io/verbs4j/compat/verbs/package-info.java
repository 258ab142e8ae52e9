/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Generates the table of C's functions, {@code docs/reference/verbs.md}, and keeps it correct. */
package io.verbs4j.compat.verbs;
