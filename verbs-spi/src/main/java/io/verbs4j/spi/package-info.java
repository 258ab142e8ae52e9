/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The interfaces that a provider of devices implements, in addition to subclasses of the handles of {@link io.verbs4j}.
 */
package io.verbs4j.spi;
