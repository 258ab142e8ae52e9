/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The {@code verbs copy} command: files over the bulk transport. */
package io.verbs4j.tools.copy;
