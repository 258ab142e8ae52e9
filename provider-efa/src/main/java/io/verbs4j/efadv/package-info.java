/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The direct verbs of libefa: what EFA offers beyond the standard verbs. A program gets {@link io.verbs4j.efadv.EfaDv}
 * from {@code context.vendor(EfaDv.class)}.
 */
package io.verbs4j.efadv;
