/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Extras of the embedded device beyond the verbs. A program gets {@link io.verbs4j.rxedv.RxeDv} from {@code
 * context.vendor(RxeDv.class)}.
 */
package io.verbs4j.rxedv;
