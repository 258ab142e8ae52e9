/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Maps transfers to the operations of a device. */
package io.verbs4j.bulk.strategy;
