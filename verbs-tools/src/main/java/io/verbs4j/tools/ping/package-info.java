/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The {@code verbs ping} command, a peer of rping. */
package io.verbs4j.tools.ping;
