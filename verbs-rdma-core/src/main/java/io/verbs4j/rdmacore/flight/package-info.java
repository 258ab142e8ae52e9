/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Events of adapters for the JDK's flight recorder, which a program may run without.
 *
 * <p>Fields of events are not private, as only the recorder reads them.
 */
package io.verbs4j.rdmacore.flight;
