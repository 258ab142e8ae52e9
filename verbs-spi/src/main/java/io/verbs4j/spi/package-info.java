/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What a provider of devices implements, besides subclasses of the handles of {@link io.verbs4j}. */
package io.verbs4j.spi;
