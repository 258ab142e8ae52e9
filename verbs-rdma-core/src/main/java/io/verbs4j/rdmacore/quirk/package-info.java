/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the generic code must know about single drivers. {@link io.verbs4j.rdmacore.quirk.Driver} recognises a device's
 * driver and gives its {@link io.verbs4j.rdmacore.quirk.Quirks}, which the other packages ask; none of them names a
 * driver.
 */
package io.verbs4j.rdmacore.quirk;
