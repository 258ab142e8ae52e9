/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** {@code verbs ping}, a peer of rping. */
package io.verbs4j.tools.ping;
