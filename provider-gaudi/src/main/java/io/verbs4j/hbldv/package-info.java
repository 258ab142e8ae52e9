/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What Gaudi's NICs have beyond the verbs: libhbl's functions ({@code hbldv_*}), typed. {@link
 * io.verbs4j.hbldv.HblOpenAttr} says how one is opened.
 */
package io.verbs4j.hbldv;
