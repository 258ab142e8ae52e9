/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the provider and hbldv share: direct calls to libhbl and their results, and the open device as hbldv sees it.
 */
package io.verbs4j.provider.gaudi.dv;
