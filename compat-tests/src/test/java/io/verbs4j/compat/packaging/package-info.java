/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Packages a program in the ways that {@code docs/guides/packaging.md} describes, and starts it as that page says. */
package io.verbs4j.compat.packaging;
