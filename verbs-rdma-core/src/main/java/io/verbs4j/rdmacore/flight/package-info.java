/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Events of adapters for the JDK's flight recorder, which a JVM may lack.
 *
 * <p>The fields of events are not private, because only the recorder reads them.
 */
package io.verbs4j.rdmacore.flight;
