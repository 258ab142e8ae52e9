/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The published sizes and offsets of libhbl's structures. */
package io.verbs4j.provider.gaudi.layout;
