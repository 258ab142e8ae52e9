/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Events for the JDK's flight recorder, which is optional.
 *
 * <p>The event fields are not private, because only the recorder reads them.
 */
package io.verbs4j.provider.rxe.flight;
