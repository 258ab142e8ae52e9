/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Reliable, ordered connections over queue pairs that support only datagrams. */
package io.verbs4j.bulk.datagram;
