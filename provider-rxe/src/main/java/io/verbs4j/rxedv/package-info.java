/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the embedded device has beyond the verbs. A program gets {@link io.verbs4j.rxedv.RxeDv} by {@code context.vendor(RxeDv.class)}. */
package io.verbs4j.rxedv;
