/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Layouts of the structures of vendors' libraries that this module needs, in the form of libibverbs' layouts. */
package io.verbs4j.rdmacore.quirk.layout;
