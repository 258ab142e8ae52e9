/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs of librdmacm in Java: peers of theirs, on whatever device has a connection manager. */
package io.verbs4j.compat.guest.cm;
