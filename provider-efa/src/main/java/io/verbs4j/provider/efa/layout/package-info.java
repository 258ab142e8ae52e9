/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Structures of efadv.h. */
package io.verbs4j.provider.efa.layout;
