/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The {@code verbs top} command. */
package io.verbs4j.tools.top;
