/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Reliable, ordered connections over queue pairs that have datagrams alone. */
package io.verbs4j.bulk.datagram;
