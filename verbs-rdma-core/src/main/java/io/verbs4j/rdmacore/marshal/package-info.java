/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Conversion of attributes and work requests between Java and the C structures of the layout package. */
package io.verbs4j.rdmacore.marshal;
