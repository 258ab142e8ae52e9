/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Finds and reads the modules of this build, and makes variants of them. */
package io.verbs4j.compat.built;
