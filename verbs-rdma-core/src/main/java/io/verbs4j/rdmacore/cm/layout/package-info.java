/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Layouts of librdmacm's structures, and of the addresses that it takes; as those of libibverbs. */
package io.verbs4j.rdmacore.cm.layout;
