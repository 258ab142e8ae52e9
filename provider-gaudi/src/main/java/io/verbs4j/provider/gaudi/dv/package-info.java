/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the provider and hbldv share: libhbl, called directly, its answers, and the open device as hbldv knows it. */
package io.verbs4j.provider.gaudi.dv;
