/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Where libhbl's structures have what, by the interface's published sizes and offsets. */
package io.verbs4j.provider.gaudi.layout;
