### What findings say, by the key of the English text: in the placeholders stand figures and names.

said-2545fa86 =  ; jusqu’à { $amount }, c’est dans la résolution de la source ({ $source }).
said-3cbb96d5 = { $discarded } ont été libérés (discard) pendant le passage, { $share } de ce qu’il a transporté.
said-561183ac = l’hyperviseur a pris { $steal } du temps de processeur pour d’autres.
said-acfdfbe2 = l’hyperviseur a peut-être pris { $steal } du temps de processeur pour d’autres ; dans un passage si court, il se compte par pas de { $tick }.
