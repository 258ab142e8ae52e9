/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Makes the table of C's functions, {@code docs/reference/verbs.md}, and keeps it true. */
package io.verbs4j.compat.verbs;
