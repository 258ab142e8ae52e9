/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Attributes and work requests from Java to the C structures of the layout package, and back. */
package io.verbs4j.rdmacore.marshal;
