/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What a provider implements whose queues device code can use. */
package io.verbs4j.devicecode.spi;
