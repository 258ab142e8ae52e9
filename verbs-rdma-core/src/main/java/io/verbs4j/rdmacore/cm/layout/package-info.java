/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Layouts of librdmacm's structures and of the socket addresses that it takes, in the form of libibverbs' layouts. */
package io.verbs4j.rdmacore.cm.layout;
