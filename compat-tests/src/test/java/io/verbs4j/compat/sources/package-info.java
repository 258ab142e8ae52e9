/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks the size of source files and the width of their lines. */
package io.verbs4j.compat.sources;
