/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** {@code verbs top}. */
package io.verbs4j.tools.top;
