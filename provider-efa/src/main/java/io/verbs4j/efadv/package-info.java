/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What EFA has beyond the verbs: the direct verbs of libefa. A program gets {@link io.verbs4j.efadv.EfaDv} by {@code
 * context.vendor(EfaDv.class)}.
 */
package io.verbs4j.efadv;
