/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The direct verbs of libhbl ({@code hbldv_*}): what Gaudi's NICs offer beyond the standard verbs.
 * {@link io.verbs4j.hbldv.HblOpenAttr} sets how a device is opened.
 */
package io.verbs4j.hbldv;
