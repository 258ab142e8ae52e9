/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the other modules built: where it is, how to read it, and how to make variants of it. */
package io.verbs4j.compat.built;
